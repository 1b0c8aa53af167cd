CREATE TABLE "container_images" (
	"artifact" text PRIMARY KEY NOT NULL,
	"image" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"key" text PRIMARY KEY NOT NULL,
	"host" text,
	"port" integer,
	"wakefulness" text DEFAULT 'awake' NOT NULL,
	"awake_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "instances_awake" ON "instances" USING btree ("awake_until","key") WHERE "instances"."wakefulness" = 'awake';