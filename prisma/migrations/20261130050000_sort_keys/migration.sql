-- The keys of names with digits, in a fifth of the time. They are the same, so no index is built again: only functions.

-- Each number of a folded text after its count of digits, without leading zeros: byte by byte, 2 comes before 10. The mask
-- has the digits as zeros. By a pattern that finds the parts it took five times as long.
CREATE OR REPLACE FUNCTION number_key(folded text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    rest text := folded; mask text := translate(folded, '123456789', '000000000');
    key text := ''; place integer; digits text;
BEGIN
    WHILE strpos(mask, '0') > 0 LOOP
        place := strpos(mask, '0');
        key := key || left(rest, place - 1);
        mask := substr(mask, place);
        digits := substr(rest, place, length(mask) - length(ltrim(mask, '0')));
        rest := substr(rest, place + length(digits));
        mask := ltrim(mask, '0');
        digits := ltrim(digits, '0');
        key := key || CASE WHEN length(digits) < 9 THEN length(digits)::text
            ELSE '9' || lpad(length(digits)::text, 3, '0') END || digits;
    END LOOP;
    RETURN key || rest;
END
$$;

-- ASCII has no nasals, which a pattern looks for.
CREATE OR REPLACE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN left(CASE
        WHEN octet_length(name) = length(name) THEN number_key(search_fold(name))
        ELSE number_key(fold_nasals(search_fold(name)))
    END, 255);
