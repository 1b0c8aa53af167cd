CREATE TABLE "invoice_items" (
	"id" uuid PRIMARY KEY NOT NULL,
	"invoice_id" uuid NOT NULL,
	"project_id" uuid NOT NULL,
	"project_key" text NOT NULL,
	"project_name" text NOT NULL,
	"product_id" text NOT NULL,
	"product_names" jsonb NOT NULL,
	"price" numeric(20, 5) NOT NULL,
	"discount" numeric(20, 5),
	"running_hours" integer NOT NULL,
	"amount" numeric(20, 5) NOT NULL,
	"discount_amount" numeric(20, 5) NOT NULL,
	"total_amount" numeric(20, 5) NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "invoice_items_once" UNIQUE("invoice_id","project_id","starts_at"),
	CONSTRAINT "invoice_items_hours" CHECK ("invoice_items"."running_hours" between 1 and 672),
	CONSTRAINT "invoice_items_amount" CHECK ("invoice_items"."amount" = "invoice_items"."price" * "invoice_items"."running_hours"),
	CONSTRAINT "invoice_items_total" CHECK ("invoice_items"."total_amount" = "invoice_items"."amount" - "invoice_items"."discount_amount")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"amount" numeric(20, 5) NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"paid_at" timestamp (3) with time zone,
	"payment_state" text,
	"payment_failure" text,
	"paid_with" jsonb,
	"billed_to" jsonb,
	CONSTRAINT "invoices_period_once" UNIQUE("user_id","starts_at"),
	CONSTRAINT "invoices_period" CHECK ("invoices"."ends_at" > "invoices"."starts_at"),
	CONSTRAINT "invoices_not_for_nothing" CHECK ("invoices"."amount" > 0),
	CONSTRAINT "invoices_paid" CHECK (("invoices"."paid_at" is not null) = ("invoices"."payment_state" is not distinct from 'succeeded'))
);
--> statement-breakpoint
CREATE TABLE "payment_methods" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"gateway" text NOT NULL,
	"token" text NOT NULL,
	"card_assoc" text NOT NULL,
	"last_digits" text NOT NULL,
	"holder_name" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"billing_name" text NOT NULL,
	"address" text NOT NULL,
	"district" text NOT NULL,
	"city" text NOT NULL,
	"country" text NOT NULL,
	"is_default" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "payment_methods_last_digits" CHECK ("payment_methods"."last_digits" ~ '^[0-9]{4}$')
);
--> statement-breakpoint
CREATE TABLE "payment_invoices" (
	"payment_id" uuid NOT NULL,
	"invoice_id" uuid NOT NULL,
	"live" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payment_invoices_payment_id_invoice_id_pk" PRIMARY KEY("payment_id","invoice_id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"payment_method_id" uuid NOT NULL,
	"amount" numeric(20, 5) NOT NULL,
	"charged_amount" numeric(20, 2) NOT NULL,
	"state" text NOT NULL,
	"failure" text,
	"charge_id" text,
	"locale" text NOT NULL,
	"ask_at" timestamp (3) with time zone NOT NULL,
	"asked" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "payments_settled" CHECK (("payments"."state" = 'in_progress') = ("payments"."settled_at" is null)),
	CONSTRAINT "payments_failure" CHECK (("payments"."state" = 'failed') = ("payments"."failure" is not null))
);
--> statement-breakpoint
CREATE TABLE "product_prices" (
	"product_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"price" numeric(20, 5) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "product_prices_product_id_starts_at_pk" PRIMARY KEY("product_id","starts_at")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" text PRIMARY KEY NOT NULL,
	"names" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_discounts" (
	"user_id" uuid NOT NULL,
	"product_id" text NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"discount" numeric(20, 5),
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "user_discounts_user_id_product_id_starts_at_pk" PRIMARY KEY("user_id","product_id","starts_at")
);
--> statement-breakpoint
CREATE TABLE "billing_accounts" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"billed_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_intervals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"product_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "usage_intervals_order" CHECK ("usage_intervals"."ended_at" >= "usage_intervals"."started_at")
);
--> statement-breakpoint
CREATE TABLE "sandbox_cards" (
	"token" text PRIMARY KEY NOT NULL,
	"behaviour" text NOT NULL,
	"removed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox_charges" (
	"idempotency_key" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"amount" numeric(20, 2) NOT NULL,
	"failure" text,
	"charge_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sandbox_charges_chargeId_unique" UNIQUE("charge_id")
);
--> statement-breakpoint
ALTER TABLE "invoice_items" ADD CONSTRAINT "invoice_items_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_items" ADD CONSTRAINT "invoice_items_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD CONSTRAINT "payment_methods_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_invoices" ADD CONSTRAINT "payment_invoices_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_invoices" ADD CONSTRAINT "payment_invoices_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_payment_method_id_payment_methods_id_fk" FOREIGN KEY ("payment_method_id") REFERENCES "public"."payment_methods"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_prices" ADD CONSTRAINT "product_prices_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_discounts" ADD CONSTRAINT "user_discounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_discounts" ADD CONSTRAINT "user_discounts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_accounts" ADD CONSTRAINT "billing_accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_intervals" ADD CONSTRAINT "usage_intervals_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_intervals" ADD CONSTRAINT "usage_intervals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_intervals" ADD CONSTRAINT "usage_intervals_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sandbox_charges" ADD CONSTRAINT "sandbox_charges_token_sandbox_cards_token_fk" FOREIGN KEY ("token") REFERENCES "public"."sandbox_cards"("token") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoices_user" ON "invoices" USING btree ("user_id","issued_at","id");--> statement-breakpoint
CREATE INDEX "invoices_unpaid" ON "invoices" USING btree ("user_id","issued_at") WHERE "invoices"."paid_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_methods_default" ON "payment_methods" USING btree ("user_id") WHERE "payment_methods"."is_default" and "payment_methods"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "payment_methods_user" ON "payment_methods" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_invoices_live" ON "payment_invoices" USING btree ("invoice_id") WHERE "payment_invoices"."live";--> statement-breakpoint
CREATE INDEX "payment_invoices_invoice" ON "payment_invoices" USING btree ("invoice_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_in_progress" ON "payments" USING btree ("ask_at","id") WHERE "payments"."state" = 'in_progress';--> statement-breakpoint
CREATE INDEX "payments_user" ON "payments" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "billing_accounts_billed_until" ON "billing_accounts" USING btree ("billed_until","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "usage_intervals_open" ON "usage_intervals" USING btree ("project_id") WHERE "usage_intervals"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "usage_intervals_user" ON "usage_intervals" USING btree ("user_id","ended_at");
--> statement-breakpoint
-- What is billed, and what an hour of it costs from the first hour on. Prices change by adding rows.
INSERT INTO "products" ("id", "names", "created_at") VALUES ('website', '{"en": "Website", "tr": "Web sitesi"}', now());--> statement-breakpoint
INSERT INTO "product_prices" ("product_id", "starts_at", "price", "created_at") VALUES ('website', '2000-01-01T00:00:00Z', 0.01250, now());--> statement-breakpoint
-- Projects that run already are billed from now on.
INSERT INTO "billing_accounts" ("user_id", "billed_until", "created_at")
SELECT DISTINCT "teams"."user_id", date_trunc('milliseconds', now()), now()
FROM "projects" JOIN "teams" ON "teams"."id" = "projects"."team_id"
WHERE "projects"."state" IN ('ready', 'modifying');--> statement-breakpoint
INSERT INTO "usage_intervals" ("id", "project_id", "user_id", "product_id", "started_at", "created_at")
SELECT gen_random_uuid(), "projects"."id", "teams"."user_id", 'website', date_trunc('milliseconds', now()), now()
FROM "projects" JOIN "teams" ON "teams"."id" = "projects"."team_id"
WHERE "projects"."state" IN ('ready', 'modifying');
