CREATE TABLE "activity" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"team_id" uuid,
	"project_id" uuid,
	"account_id" uuid,
	"actor" text NOT NULL,
	"actor_id" uuid,
	"subject" text,
	"before" text,
	"after" text,
	"request_id" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "activity_readers" CHECK (("activity"."team_id" is null) <> ("activity"."account_id" is null))
);
--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_account_id_users_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_team" ON "activity" USING btree ("team_id","position");--> statement-breakpoint
CREATE INDEX "activity_project" ON "activity" USING btree ("project_id","position");--> statement-breakpoint
CREATE INDEX "activity_account" ON "activity" USING btree ("account_id","position");--> statement-breakpoint
CREATE INDEX "activity_actor" ON "activity" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "activity_created" ON "activity" USING btree ("created_at");