CREATE TABLE "domains" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"host" text NOT NULL,
	"role" text NOT NULL,
	"redirect_status" integer DEFAULT 308 NOT NULL,
	"hsts" boolean DEFAULT false NOT NULL,
	"state" text NOT NULL,
	"proof" text,
	"proven_at" timestamp (3) with time zone,
	"token" text NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"provider" text,
	"checked_at" timestamp (3) with time zone,
	"misses" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone NOT NULL,
	"watched_until" timestamp (3) with time zone,
	"failure_reported" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "released_domains" (
	"host" text PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"region_id" text NOT NULL,
	"released_at" timestamp (3) with time zone NOT NULL,
	"next_check_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "projects_domain";--> statement-breakpoint
ALTER TABLE "domains" ADD CONSTRAINT "domains_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "domains_project_host" ON "domains" USING btree ("project_id","host");--> statement-breakpoint
CREATE UNIQUE INDEX "domains_proven" ON "domains" USING btree ("host") WHERE "domains"."state" <> 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "domains_primary" ON "domains" USING btree ("project_id") WHERE "domains"."role" = 'primary';--> statement-breakpoint
CREATE INDEX "domains_host" ON "domains" USING btree ("host");--> statement-breakpoint
CREATE INDEX "domains_next" ON "domains" USING btree ("next_check_at","id");--> statement-breakpoint
CREATE INDEX "released_domains_next" ON "released_domains" USING btree ("next_check_at","host");
--> statement-breakpoint
-- The domains of version 0.1.0: those that were found to lead here are proven, others are checked.
INSERT INTO "domains" ("id", "project_id", "host", "role", "state", "proof", "proven_at", "token", "next_check_at", "created_at")
SELECT gen_random_uuid(), "projects"."id", "projects"."domain", 'primary',
	CASE WHEN "domain_checks"."verdict" = 'correct' THEN 'active' ELSE 'pending' END,
	CASE WHEN "domain_checks"."verdict" = 'correct' THEN 'shared_record' END,
	CASE WHEN "domain_checks"."verdict" = 'correct' THEN now() END,
	'slipway-' || replace(gen_random_uuid()::text, '-', ''), now(), "projects"."created_at"
FROM "projects"
LEFT JOIN "domain_checks" ON "domain_checks"."project_id" = "projects"."id" AND "domain_checks"."domain" = "projects"."domain"
WHERE "projects"."domain" IS NOT NULL AND "projects"."state" NOT IN ('deleting', 'deleted');
