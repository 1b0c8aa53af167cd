DROP INDEX "support_tickets_changed";--> statement-breakpoint
DROP INDEX "support_tickets_state_changed";--> statement-breakpoint
CREATE INDEX "users_unverified" ON "users" USING btree ("created_at","id") WHERE "users"."verified_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_last_used" ON "sessions" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "sessions_created" ON "sessions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "attempts_at" ON "attempts" USING btree ("at");--> statement-breakpoint
CREATE INDEX "support_tickets_changed" ON "support_tickets" USING btree ("updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "support_tickets_state_changed" ON "support_tickets" USING btree ("state","updated_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);