CREATE TABLE "offline_grants" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"client_id" uuid,
	"user_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"scope" text NOT NULL,
	"auth_time" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rsa_signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"sealed_private_key" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_client_secrets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"client_id" uuid NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"hint" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "sign_in_clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"is_public" boolean NOT NULL,
	"algorithm" text NOT NULL,
	"redirect_uris" jsonb NOT NULL,
	"logout_redirect_uris" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "access_tokens" ALTER COLUMN "code_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "grant_id" uuid;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD COLUMN "client_id" uuid;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD COLUMN "auth_time" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "offline_grants" ADD CONSTRAINT "offline_grants_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_grants" ADD CONSTRAINT "offline_grants_client_id_sign_in_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."sign_in_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "offline_grants" ADD CONSTRAINT "offline_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_id_offline_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."offline_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_client_secrets" ADD CONSTRAINT "sign_in_client_secrets_client_id_sign_in_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."sign_in_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_clients" ADD CONSTRAINT "sign_in_clients_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "offline_grants_code" ON "offline_grants" USING btree ("code_hash");--> statement-breakpoint
CREATE INDEX "offline_grants_user" ON "offline_grants" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "offline_grants_client" ON "offline_grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "offline_grants_project" ON "offline_grants" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "offline_grants_expires" ON "offline_grants" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_grant" ON "refresh_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expires" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_client_secrets_client" ON "sign_in_client_secrets" USING btree ("client_id","created_at");--> statement-breakpoint
CREATE INDEX "sign_in_clients_project" ON "sign_in_clients" USING btree ("project_id","created_at");--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_grant_id_offline_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."offline_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_client_id_sign_in_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."sign_in_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_client_id_sign_in_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."sign_in_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "access_tokens_grant" ON "access_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "access_tokens_client" ON "access_tokens" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "authorization_codes_client" ON "authorization_codes" USING btree ("client_id");