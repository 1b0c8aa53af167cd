ALTER TABLE "mails" ADD COLUMN "project_id" uuid;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "raw" "bytea";--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_project" ON "mails" USING btree ("project_id","created_at") WHERE "mails"."project_id" is not null;