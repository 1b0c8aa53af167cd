-- Folds i, ı, I and İ to i, and drops the combining dot of a decomposed İ. The other Turkish letters
-- are listed because `lower` ignores them in a database with locale C.
CREATE FUNCTION "slipway_fold"(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(translate(normalize($1, NFC), U&'\0130I\0131\00C7\011E\00D6\015E\00DC\0307', U&'iii\00E7\011F\00F6\015F\00FC'));
--> statement-breakpoint
-- Without pg_trgm, which a PostgreSQL of one's own may lack, the search works but scans.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "support_tickets_subject_search" ON "support_tickets" USING gin (slipway_fold("subject") gin_trgm_ops);
  CREATE INDEX "support_tickets_id_search" ON "support_tickets" USING gin (("id"::text) gin_trgm_ops);
  CREATE INDEX "users_name_search" ON "users" USING gin (slipway_fold("name") gin_trgm_ops);
  CREATE INDEX "users_email_search" ON "users" USING gin (slipway_fold("email") gin_trgm_ops);
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
    RAISE NOTICE 'pg_trgm is not available: the search of tickets will scan';
END $$;
