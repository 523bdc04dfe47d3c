# Keeps a copy of the catalog in a JSON file: reads everything once, then the changes every few seconds.
# KEY=… python3 examples/copy/copy.py catalog.json; with --once, as for cron, it ends when the copy is up to date.
import http.client, json, os, pathlib, sys, time, urllib.error, urllib.request

URL = os.environ.get("BASE_URL", "http://127.0.0.1:4000")
INTERVAL_SECONDS = float(os.environ.get("INTERVAL_SECONDS", "5"))
OPERATIONS = pathlib.Path(__file__).with_name("copy.graphql").read_text()
ONCE = "--once" in sys.argv
FILE = pathlib.Path(next((argument for argument in sys.argv[1:] if argument != "--once"), "catalog.json"))
# Codes of errors that pass; with any other, the same request would fail again.
PASSING = ("UNAVAILABLE", "RATE_LIMITED", "INTERNAL_SERVER_ERROR")
ATTEMPTS_MAX = 10


def send(body):
    headers = {"x-api-key": os.environ["KEY"], "Content-Type": "application/json"}
    request = urllib.request.Request(URL + "/graphql", data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


# Sends a request until the service answers it: what a broken connection or a proxy sends instead is no answer.
def query(operation, **variables):
    body = json.dumps({"query": OPERATIONS, "operationName": operation, "variables": variables}).encode()
    attempt = 0
    while True:
        attempt += 1
        retry_after, problem = None, ""
        try:
            status, headers, text = send(body)
            retry_after, problem = headers.get("Retry-After"), f"status {status}"
            result = json.loads(text)
            result = result if isinstance(result, dict) else {}
            errors = result.get("errors") or []
            if result.get("data") and not errors:
                return result["data"]
            for error in errors:
                if error.get("extensions", {}).get("code", "UNAVAILABLE") not in PASSING:
                    sys.exit(error["message"])
        except (OSError, ValueError, http.client.HTTPException) as failure:
            problem = f"{problem} {failure!r}"
        print(problem, file=sys.stderr, flush=True)
        if ONCE and attempt == ATTEMPTS_MAX:
            sys.exit("The service does not answer.")
        # As long as the service asks for, else longer each time.
        time.sleep(int(retry_after) if retry_after and retry_after.isdigit() else min(2 ** (attempt - 1), 60))


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
        if ONCE and not page["hasMore"]:
            return
        if not page["hasMore"]:
            time.sleep(INTERVAL_SECONDS)


follow()
