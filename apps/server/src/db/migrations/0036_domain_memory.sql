ALTER TABLE "domains" ADD COLUMN "failure_reported_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "released_domains" ADD COLUMN "elsewhere_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "released_domains" ADD COLUMN "hsts_ended_at" timestamp (3) with time zone;