ALTER TABLE "projects" ADD COLUMN "power" text DEFAULT 'running' NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "suspension" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "suspension_note" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "restarts" integer DEFAULT 0 NOT NULL;