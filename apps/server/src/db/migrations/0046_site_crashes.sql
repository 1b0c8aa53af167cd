ALTER TABLE "projects" ADD COLUMN "crashes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "crashed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "releases" ADD COLUMN "by_token" boolean DEFAULT false NOT NULL;