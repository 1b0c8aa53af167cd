CREATE TABLE "cluster_checks" (
	"installation" text PRIMARY KEY NOT NULL,
	"settings" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"pending" boolean NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"results" jsonb
);
