ALTER TABLE "user_discounts" DROP CONSTRAINT "user_discounts_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "user_discounts" ADD CONSTRAINT "user_discounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;