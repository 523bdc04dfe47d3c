# Keeps a copy of the catalog in a JSON file: reads everything once, then the changes every few seconds, or each night.
# KEY=… python3 examples/copy/copy.py catalog.json
import json, os, pathlib, sys, time, urllib.request

URL = os.environ.get("BASE_URL", "http://127.0.0.1:4000")
INTERVAL_SECONDS = float(os.environ.get("INTERVAL_SECONDS", "5"))
OPERATIONS = pathlib.Path(__file__).with_name("copy.graphql").read_text()
FILE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "catalog.json")


def query(operation, **variables):
    request = urllib.request.Request(
        URL + "/graphql",
        data=json.dumps({"query": OPERATIONS, "operationName": operation, "variables": variables}).encode(),
        headers={"x-api-key": os.environ["KEY"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        result = json.load(response)
    if result.get("errors"):
        raise RuntimeError(result["errors"][0]["message"])
    return result["data"]


def pages(operation, field):
    after, more = None, True
    while more:
        page = query(operation, after=after)[field]
        yield from page["nodes"]
        after, more = page["pageInfo"]["endCursor"], page["pageInfo"]["hasNextPage"]


# The cursor comes first: what changes while the pages are read is among the changes after it.
def read_all(cursor):
    programs = {str(program["id"]): program for program in pages("Programs", "programsConnection")}
    branches = {}
    for branch in pages("Branches", "branchesConnection"):
        program = branch.pop("program")
        branches[str(branch["id"])] = {**branch, "programId": program["id"]}
    return {"cursor": cursor, "programs": programs, "branches": branches}


# A change has the record as it is now, so it does no harm that some are in the copy already.
def apply(copy, change):
    if change["kind"] == "PROGRAM":
        records, id, record = copy["programs"], str(change["programId"]), change["program"]
    else:
        records, id, record = copy["branches"], str(change["branchId"]), change["branch"]
        record = record and {**record, "programId": change["programId"]}
    if change["action"] == "DELETE" or record is None:
        records.pop(id, None)
    else:
        records[id] = record


# The copy and its cursor in one file, replaced at once: a job that is killed goes on from either.
def save(copy):
    new = FILE.with_name(FILE.name + ".new")
    new.write_text(json.dumps(copy))
    new.replace(FILE)


def follow():
    if FILE.exists():
        copy = json.loads(FILE.read_text())
    else:
        copy = read_all(query("Begin")["catalogChanges"]["cursor"])
    while True:
        page = query("Changes", after=copy["cursor"])["catalogChanges"]
        if page["reload"]:
            copy = read_all(page["cursor"])
        for change in page["changes"]:
            apply(copy, change)
        copy["cursor"] = page["cursor"]
        save(copy)
        if not page["hasMore"]:
            time.sleep(INTERVAL_SECONDS)


while True:
    try:
        follow()
    except (OSError, RuntimeError) as problem:
        # The service restarts, or is busy. The file has the last copy.
        print(problem, file=sys.stderr, flush=True)
        time.sleep(INTERVAL_SECONDS)
