CREATE TABLE "invoice_numbers" (
	"year" integer PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "number" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "tax_rate" text DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "tax_amount" numeric(20, 5) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "seller" jsonb;--> statement-breakpoint
CREATE INDEX "invoices_unnumbered" ON "invoices" USING btree ("issued_at","id") WHERE "invoices"."number" is null;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_number" UNIQUE("number");--> statement-breakpoint
-- Invoices that were issued before get their numbers in the order of their issue.
UPDATE "invoices" SET "number" = 'SW-' || numbered."year" || '-' || lpad(numbered."position"::text, greatest(6, length(numbered."position"::text)), '0')
FROM (
	SELECT "id", extract(year from "issued_at" at time zone 'UTC')::integer AS "year",
		row_number() OVER (PARTITION BY extract(year from "issued_at" at time zone 'UTC') ORDER BY "issued_at", "id") AS "position"
	FROM "invoices"
) AS numbered
WHERE numbered."id" = "invoices"."id";--> statement-breakpoint
INSERT INTO "invoice_numbers" ("year", "last")
SELECT extract(year from "issued_at" at time zone 'UTC')::integer, count(*)::integer FROM "invoices" GROUP BY 1;
