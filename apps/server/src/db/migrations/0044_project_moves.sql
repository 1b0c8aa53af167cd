CREATE TABLE "project_moves" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"source" text NOT NULL,
	"target" text NOT NULL,
	"step" text NOT NULL,
	"paused_at" timestamp (3) with time zone,
	"digest" text,
	"failure" text,
	"detail" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"requested_by" uuid,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "project_moves" ADD CONSTRAINT "project_moves_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_moves" ADD CONSTRAINT "project_moves_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "project_moves_open" ON "project_moves" USING btree ("retry_at","project_id") WHERE "project_moves"."finished_at" is null;