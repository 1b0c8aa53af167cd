CREATE TABLE "site_backups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"state" text NOT NULL,
	"cause" text NOT NULL,
	"failure" text,
	"runtime" text NOT NULL,
	"artifact" text,
	"release" integer,
	"user_id" uuid,
	"by_token" boolean DEFAULT false NOT NULL,
	"location" text,
	"sealed" text,
	"digest" text,
	"bytes" bigint,
	"idempotency_key" text,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	CONSTRAINT "site_backups_idempotency" UNIQUE("project_id","user_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "site_restores" (
	"project_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"backup_id" uuid NOT NULL,
	"backup_created_at" timestamp (3) with time zone NOT NULL,
	"is_new_project" boolean NOT NULL,
	"step" text,
	"earlier_backup_id" uuid,
	"failure" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp (3) with time zone NOT NULL,
	"deadline_at" timestamp (3) with time zone NOT NULL,
	"requested_by" uuid,
	"by_token" boolean DEFAULT false NOT NULL,
	"idempotency_key" text,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "backup_due_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "site_backups" ADD CONSTRAINT "site_backups_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_backups" ADD CONSTRAINT "site_backups_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_restores" ADD CONSTRAINT "site_restores_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "site_restores" ADD CONSTRAINT "site_restores_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "site_backups_project" ON "site_backups" USING btree ("project_id","created_at");--> statement-breakpoint
CREATE INDEX "site_backups_artifact" ON "site_backups" USING btree ("artifact");--> statement-breakpoint
CREATE INDEX "site_backups_creating" ON "site_backups" USING btree ("deadline_at") WHERE "site_backups"."state" = 'creating';--> statement-breakpoint
CREATE INDEX "site_restores_open" ON "site_restores" USING btree ("retry_at","project_id") WHERE "site_restores"."step" is not null;--> statement-breakpoint
CREATE INDEX "projects_backup_due" ON "projects" USING btree ("backup_due_at","id") WHERE (
  "projects"."state" in ('ready', 'modifying') and "projects"."runtime" <> 'static'
);