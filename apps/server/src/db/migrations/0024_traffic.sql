CREATE TABLE "traffic_days" (
	"project_id" uuid NOT NULL,
	"day" date NOT NULL,
	"visitors" integer NOT NULL,
	CONSTRAINT "traffic_days_project_id_day_pk" PRIMARY KEY("project_id","day")
);
--> statement-breakpoint
CREATE TABLE "traffic_hours" (
	"project_id" uuid NOT NULL,
	"hour" timestamp (3) with time zone NOT NULL,
	"status1xx" integer NOT NULL,
	"status2xx" integer NOT NULL,
	"status3xx" integer NOT NULL,
	"status4xx" integer NOT NULL,
	"status5xx" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"times" integer[] NOT NULL,
	"visitors" integer[] NOT NULL,
	CONSTRAINT "traffic_hours_project_id_hour_pk" PRIMARY KEY("project_id","hour")
);
--> statement-breakpoint
CREATE TABLE "traffic_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "traffic_writers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"batch" integer NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "traffic_days" ADD CONSTRAINT "traffic_days_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "traffic_hours" ADD CONSTRAINT "traffic_hours_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "traffic_days_day" ON "traffic_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "traffic_hours_hour" ON "traffic_hours" USING btree ("hour");--> statement-breakpoint
CREATE INDEX "traffic_hours_uncounted" ON "traffic_hours" USING btree ("hour") WHERE "traffic_hours"."visitors" <> '{}';--> statement-breakpoint
CREATE INDEX "traffic_writers_written_at" ON "traffic_writers" USING btree ("written_at");