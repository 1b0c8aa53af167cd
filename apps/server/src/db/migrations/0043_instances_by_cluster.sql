ALTER TABLE "instances" DROP CONSTRAINT "instances_pkey";--> statement-breakpoint
ALTER TABLE "instances" ADD CONSTRAINT "instances_key_cluster_pk" PRIMARY KEY("key","cluster");
