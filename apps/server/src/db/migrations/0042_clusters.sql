CREATE TABLE "clusters" (
	"name" text PRIMARY KEY NOT NULL,
	"region_id" text,
	"capacity" integer,
	"state" text DEFAULT 'open' NOT NULL,
	"unreachable_since" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "cluster" text DEFAULT 'default' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "cluster" text DEFAULT 'default' NOT NULL;--> statement-breakpoint
CREATE INDEX "projects_cluster" ON "projects" USING btree ("cluster") WHERE "projects"."state" <> 'deleted';