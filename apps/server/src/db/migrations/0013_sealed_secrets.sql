CREATE TABLE "sealing_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "signing_keys" ALTER COLUMN "private_key" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_methods" ALTER COLUMN "token" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "secrets" ALTER COLUMN "value" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "signing_keys" ADD COLUMN "sealed_private_key" text;--> statement-breakpoint
ALTER TABLE "payment_methods" ADD COLUMN "sealed_token" text;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "sealed_value" text;--> statement-breakpoint
CREATE INDEX "payment_methods_plain" ON "payment_methods" USING btree ("id") WHERE "payment_methods"."token" is not null;--> statement-breakpoint
CREATE INDEX "secrets_plain" ON "secrets" USING btree ("name") WHERE "secrets"."value" is not null;