CREATE TABLE "registries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"team_id" uuid NOT NULL,
	"host" text NOT NULL,
	"username" text NOT NULL,
	"sealed" text NOT NULL,
	"user_id" uuid,
	"set_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "registries_host" UNIQUE("team_id","host")
);
--> statement-breakpoint
ALTER TABLE "registries" ADD CONSTRAINT "registries_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registries" ADD CONSTRAINT "registries_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;