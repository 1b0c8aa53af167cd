import type { ProjectId } from '@slipway/contract/projects'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, time } from '../../db/columns.ts'
import { projects } from '../projects/projects.schema.ts'

/** The newest picture of each site. Derived from the site, so backups leave it out. */
export const sitePictures = pgTable(
  'site_pictures',
  {
    projectId: uuid()
      .$type<ProjectId>()
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** 128 random bits, a part of the picture's path: a client that has them sees the picture. */
    address: text().notNull(),
    /** WebP, 1280 x 800. */
    large: bytes().notNull(),
    /** The same picture as WebP, 160 x 100. */
    small: bytes().notNull(),
    /** The version of the desired state that it shows. */
    generation: integer().notNull(),
    takenAt: time().notNull(),
  },
  (table) => [index('site_pictures_address').on(table.address)],
)
