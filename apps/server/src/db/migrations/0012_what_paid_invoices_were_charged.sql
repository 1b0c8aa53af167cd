ALTER TABLE "invoices" ADD COLUMN "charge" jsonb;--> statement-breakpoint
-- Those that were paid before: their payments have always known it.
UPDATE "invoices" SET "charge" = jsonb_build_object(
  'amount', "payments"."amount"::text,
  'chargedAmount', "payments"."charged_amount"::text,
  'invoiceCount', (
    SELECT count(*) FROM "payment_invoices" "others" WHERE "others"."payment_id" = "payments"."id"
  )
)
FROM "payment_invoices"
JOIN "payments" ON "payments"."id" = "payment_invoices"."payment_id"
WHERE "payment_invoices"."invoice_id" = "invoices"."id"
  AND "payment_invoices"."live"
  AND "payments"."state" = 'succeeded'
  AND "invoices"."paid_at" IS NOT NULL;
