ALTER TABLE "domains" ADD COLUMN "hsts_ended_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "domains_state" ON "domains" USING btree ("state");