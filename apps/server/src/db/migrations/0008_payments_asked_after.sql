DROP INDEX "payments_in_progress";--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "ask_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "gateway" text NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "paid_with" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "billed_to" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refund_due_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "payments_to_ask" ON "payments" USING btree ("ask_at","id") WHERE "payments"."ask_at" is not null;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_asked" CHECK ("payments"."state" <> 'in_progress' or "payments"."ask_at" is not null);--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_refund" CHECK (("payments"."state" = 'failed' and "payments"."charge_id" is not null) = ("payments"."refund_due_at" is not null));