import type { RuntimeImages } from '../runtimes/cluster-runtime.ts'
import { digestOf } from './digest.ts'
import type { ObjectSettings } from './project-objects.ts'

/** Raise it with each change of the pods of our runtimes: running sites then get new pods. */
export const podVersion = 2

/**
 * A digest of what the pods of all sites depend on. Sites that were applied with another one are
 * applied again. Only the operator's settings count, not what workers find out about the cluster:
 * two workers with different findings would restart the sites in turn.
 */
export const settingsDigest = ({ pods }: Pick<ObjectSettings, 'pods'>, images: RuntimeImages) =>
  digestOf({ pods, images, podVersion })
