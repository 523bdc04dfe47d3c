-- Sign-ins at the identity provider, and keys that end with them. Columns without a rewrite, and an index of two small
-- tables: fast at any size of the catalog.

-- The last sign-in at the identity provider; and whether claims gave the role then, as they will at the next.
ALTER TABLE users
    ADD COLUMN signed_in_at timestamptz(3),
    ADD COLUMN role_from_claims boolean NOT NULL DEFAULT false;

-- Of a key that somebody of the identity provider has made for themselves, and of what is made with it: the person, and
-- the time until which it works unless that person signs in again.
ALTER TABLE api_keys
    ADD COLUMN sign_in_of integer REFERENCES users (id) ON DELETE SET NULL ON UPDATE CASCADE,
    ADD COLUMN sign_in_until timestamptz(3);
CREATE INDEX api_keys_sign_in_of_idx ON api_keys (sign_in_of);

DROP TRIGGER api_keys_changed ON api_keys;
-- Not last_used_at, on which no cached value depends.
CREATE TRIGGER api_keys_changed
    AFTER INSERT OR DELETE OR TRUNCATE OR UPDATE OF user_id, hash, read_only, expires_at, revoked_at, sign_in_until
    ON api_keys
    FOR EACH STATEMENT EXECUTE FUNCTION log_access();
ALTER TABLE api_keys ENABLE ALWAYS TRIGGER api_keys_changed;
