CREATE TABLE "acme_accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"directory" text NOT NULL,
	"sealed_key" text NOT NULL,
	"url" text,
	"contact" text,
	"paused_until" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "acme_accounts_directory" UNIQUE("directory")
);
--> statement-breakpoint
CREATE TABLE "certificate_challenges" (
	"order_id" uuid NOT NULL,
	"type" text NOT NULL,
	"host" text NOT NULL,
	"token" text NOT NULL,
	"response" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "certificate_challenges_host_token_pk" PRIMARY KEY("host","token")
);
--> statement-breakpoint
CREATE TABLE "certificate_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"certificate_id" uuid,
	"host" text NOT NULL,
	"directory" text NOT NULL,
	"url" text,
	"sealed_key" text,
	"ended_at" timestamp (3) with time zone,
	"outcome" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "certificates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"project_id" uuid,
	"challenge" text NOT NULL,
	"sealed" text,
	"fingerprint" text,
	"directory" text,
	"issuer" text,
	"renewal_id" text,
	"starts_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"renew_at" timestamp (3) with time zone,
	"problem" text,
	"detail" text,
	"checked_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"use_fallback" boolean DEFAULT false NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"notice" text,
	"dropped_at" timestamp (3) with time zone,
	"revoking_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "certificate_challenges" ADD CONSTRAINT "certificate_challenges_order_id_certificate_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."certificate_orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificate_orders" ADD CONSTRAINT "certificate_orders_certificate_id_certificates_id_fk" FOREIGN KEY ("certificate_id") REFERENCES "public"."certificates"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "certificates" ADD CONSTRAINT "certificates_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "certificate_challenges_order" ON "certificate_challenges" USING btree ("order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "certificate_orders_open" ON "certificate_orders" USING btree ("certificate_id") WHERE "certificate_orders"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "certificate_orders_certificate" ON "certificate_orders" USING btree ("certificate_id");--> statement-breakpoint
CREATE INDEX "certificate_orders_directory" ON "certificate_orders" USING btree ("directory","created_at");--> statement-breakpoint
CREATE INDEX "certificate_orders_unended" ON "certificate_orders" USING btree ("directory") WHERE "certificate_orders"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "certificate_orders_host" ON "certificate_orders" USING btree ("host","created_at");--> statement-breakpoint
CREATE INDEX "certificate_orders_created" ON "certificate_orders" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "certificates_host" ON "certificates" USING btree ("host") WHERE "certificates"."dropped_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_due" ON "certificates" USING btree ("due_at","id");--> statement-breakpoint
CREATE INDEX "certificates_dropped" ON "certificates" USING btree ("host") WHERE "certificates"."dropped_at" is not null and "certificates"."revoking_at" is null;--> statement-breakpoint
CREATE INDEX "certificates_expiry" ON "certificates" USING btree ("expires_at","problem") WHERE "certificates"."dropped_at" is null;