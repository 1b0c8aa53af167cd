import type { ContainerImage } from '@slipway/contract/container-images'
import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from '../../db/columns.ts'

/** The artifacts of the runtime `image`: an image with its settings instead of files. */
export const containerImages = pgTable('container_images', {
  /** SHA-256 of the settings in hex: the artifact of releases and projects. */
  artifact: text().primaryKey(),
  image: jsonb().$type<ContainerImage>().notNull(),
  createdAt,
})
