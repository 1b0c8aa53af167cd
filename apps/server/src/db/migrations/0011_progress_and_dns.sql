CREATE TABLE "domain_checks" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"domain" text NOT NULL,
	"verdict" text,
	"found" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"found_at" timestamp (3) with time zone,
	"misses" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_creations" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"attempt" integer NOT NULL,
	"steps" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "domain_checks" ADD CONSTRAINT "domain_checks_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_creations" ADD CONSTRAINT "project_creations_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "domain_checks_next" ON "domain_checks" USING btree ("next_check_at","project_id");--> statement-breakpoint
-- Domains of before are asked about like any other.
INSERT INTO "domain_checks" ("project_id", "domain", "next_check_at")
SELECT "id", "domain", "updated_at" FROM "projects"
WHERE "domain" IS NOT NULL AND "state" NOT IN ('deleting', 'deleted');
