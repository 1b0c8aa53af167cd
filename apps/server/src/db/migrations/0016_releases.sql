CREATE TABLE "releases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"runtime" text NOT NULL,
	"artifact" text NOT NULL,
	"state" text NOT NULL,
	"failure" text,
	"failure_detail" text,
	"source" text NOT NULL,
	"rollback_of" integer,
	"user_id" uuid NOT NULL,
	"archive_bytes" bigint NOT NULL,
	"files" integer,
	"bytes" bigint,
	"changes" jsonb,
	"log" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"idempotency_key" text,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "releases_number" UNIQUE("project_id","number"),
	CONSTRAINT "releases_idempotency" UNIQUE("project_id","user_id","idempotency_key")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "runtime" text DEFAULT 'starter' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "artifact" text;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "releases" ADD CONSTRAINT "releases_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "releases_artifact" ON "releases" USING btree ("artifact");--> statement-breakpoint
CREATE INDEX "releases_state" ON "releases" USING btree ("state","deadline_at");