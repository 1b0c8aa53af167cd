ALTER TABLE "projects" ADD COLUMN "idempotency_user_id" uuid;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "idempotency_key" uuid;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_idempotency_user_id_users_id_fk" FOREIGN KEY ("idempotency_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_idempotency" UNIQUE("idempotency_user_id","idempotency_key");