CREATE TABLE "invoice_run_customers" (
	"run_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	CONSTRAINT "invoice_run_customers_run_id_user_id_pk" PRIMARY KEY("run_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "invoice_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"listed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "support_tickets_state";--> statement-breakpoint
ALTER TABLE "invoice_run_customers" ADD CONSTRAINT "invoice_run_customers_run_id_invoice_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."invoice_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoice_run_customers" ADD CONSTRAINT "invoice_run_customers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invoice_run_customers_state" ON "invoice_run_customers" USING btree ("run_id","state","user_id");--> statement-breakpoint
CREATE INDEX "invoice_run_customers_user" ON "invoice_run_customers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "invoice_runs_created" ON "invoice_runs" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "support_tickets_unanswered" ON "support_tickets" USING btree ("asked_at","id") WHERE "support_tickets"."asked_at" > coalesce("support_tickets"."replied_at", '-infinity');--> statement-breakpoint
CREATE INDEX "support_tickets_changed" ON "support_tickets" USING btree ("updated_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "support_tickets_state_changed" ON "support_tickets" USING btree ("state","updated_at" DESC NULLS LAST,"id" DESC NULLS LAST);