ALTER TABLE "invoice_items" DROP CONSTRAINT "invoice_items_once";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "customer" jsonb;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "payments_refund_due" ON "payments" USING btree ("refund_due_at","id") WHERE "payments"."refund_due_at" is not null and "payments"."refunded_at" is null;--> statement-breakpoint
ALTER TABLE "invoice_items" ADD CONSTRAINT "invoice_items_once" UNIQUE("invoice_id","project_id","product_id","starts_at");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_refunded" CHECK ("payments"."refunded_at" is null or "payments"."refund_due_at" is not null);