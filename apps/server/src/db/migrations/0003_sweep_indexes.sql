DROP INDEX "projects_unsettled";--> statement-breakpoint
CREATE INDEX "projects_applied" ON "projects" USING btree ("key","id") WHERE ("projects"."state" in ('ready', 'modifying') and "projects"."applied_generation" > 0);--> statement-breakpoint
CREATE INDEX "projects_unsettled" ON "projects" USING btree ("deadline_at","id") WHERE (
  "projects"."state" in ('pending', 'creating', 'modifying', 'deleting')
  or "projects"."state" = 'ready' and ("projects"."applied_generation" < "projects"."generation" or "projects"."failure" is not null)
  or "projects"."state" in ('failed_creating', 'deleted') and "projects"."applied_generation" > 0
);