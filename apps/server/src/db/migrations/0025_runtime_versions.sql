CREATE TABLE "runtime_versions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"runtime" text NOT NULL,
	"version" text NOT NULL,
	"artifact" text NOT NULL,
	"archive_bytes" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "runtime_versions_artifact" UNIQUE("artifact","runtime")
);
--> statement-breakpoint
CREATE INDEX "runtime_versions_newest" ON "runtime_versions" USING btree ("runtime","created_at");