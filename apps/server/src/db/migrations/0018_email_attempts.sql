DROP INDEX "mails_state";--> statement-breakpoint
DROP INDEX "mails_created";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "next_attempt_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("state","created_at","id") WHERE "mails"."state" in ('queued', 'failed');--> statement-breakpoint
CREATE INDEX "mails_queue" ON "mails" USING btree ("recipient","created_at","id") WHERE "mails"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "mails_created" ON "mails" USING btree ("created_at","id");