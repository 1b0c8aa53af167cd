CREATE TABLE "backups" (
	"name" text PRIMARY KEY NOT NULL,
	"location" text NOT NULL,
	"bytes" bigint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL
);
