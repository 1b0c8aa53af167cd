import { fieldManager } from './api/cluster.ts'
import type { FieldSet, ManagedFields } from './api/resources.ts'

const union = (first: FieldSet, second: FieldSet): FieldSet =>
  Object.fromEntries(
    [...Object.keys(first), ...Object.keys(second)].map((name) => [
      name,
      union(first[name] ?? {}, second[name] ?? {}),
    ]),
  )

/** True for our updates of a pod template. An update of the replicas alone does no harm. */
const isUpdate = ({ manager, operation, subresource, fieldsV1 }: ManagedFields) =>
  manager === fieldManager &&
  operation === 'Update' &&
  subresource === undefined &&
  fieldsV1?.['f:spec']?.['f:template'] !== undefined

const isApplied = ({ manager, operation }: ManagedFields) =>
  manager === fieldManager && operation === 'Apply'

/**
 * The owners of an object's fields, with those of its pod template that we updated as applied ones:
 * an application removes only what was applied. Null without such fields. Client libraries move to
 * server-side apply in the same way (k8s.io/client-go/util/csaupgrade).
 */
export function withUpdatesApplied(managedFields: ManagedFields[] = []): ManagedFields[] | null {
  const updates = managedFields.filter(isUpdate)
  const [update] = updates
  if (!update) return null
  const applied = managedFields.find(isApplied) ?? { ...update, operation: 'Apply' }
  const fieldsV1 = updates.reduce(
    (fields, each) => union(fields, each.fieldsV1 ?? {}),
    applied.fieldsV1 ?? {},
  )
  const others = managedFields.filter((each) => !isUpdate(each) && !isApplied(each))
  return [...others, { ...applied, fieldsV1 }]
}
