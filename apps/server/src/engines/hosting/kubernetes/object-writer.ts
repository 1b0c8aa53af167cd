import type { Cluster } from './api/cluster.ts'
import { type KubeObject, kinds, objectOf } from './api/resources.ts'
import { type AppliedRecord, toAnnotation } from './applied-record.ts'
import type { ClusterState } from './cluster-state.ts'
import { withUpdatesApplied } from './field-owners.ts'
import { nameOf, replicasOf, viewOfObject } from './object-state.ts'
import { annotations, isOurs, names, namespaceOf } from './objects/names.ts'
import type { ProjectObjects } from './objects/project-objects.ts'

export type ObjectWriterOptions = {
  cluster: Cluster
  installation: string
  /** Throws while the state of the cluster is unknown. */
  requireState: () => ClusterState
}

/** The names of a project's edge objects in its record. */
const edgeObjectNames = [kinds.Service, kinds.Ingress, kinds.HTTPRoute].map(({ kind }) =>
  nameOf({ kind, name: names.site }),
)

export type ObjectWriter = ReturnType<typeof createObjectWriter>

/** Reads and writes the objects of a project in the API server. */
export function createObjectWriter({ cluster, installation, requireState }: ObjectWriterOptions) {
  const deploymentOf = (key: string): KubeObject =>
    objectOf(kinds.Deployment, { name: names.site, namespace: namespaceOf(installation, key) })

  /** Has the next application remove the fields of a Deployment that earlier versions updated. */
  async function ownUpdates(object: KubeObject) {
    const { kind, metadata } = object
    if (kind !== kinds.Deployment.kind) return
    const stored = await cluster.read(kinds.Deployment, metadata.name, metadata.namespace)
    const managedFields = stored && withUpdatesApplied(stored.metadata.managedFields)
    if (!managedFields) return
    const { resourceVersion } = stored.metadata
    await cluster.merge(object, { metadata: { resourceVersion, managedFields } })
  }

  return {
    deploymentOf,

    /** The namespace of an instance in the API server. Throws if it is another installation's. */
    async readNamespace(key: string): Promise<KubeObject | null> {
      const name = namespaceOf(installation, key)
      const namespace = await cluster.read(kinds.Namespace, name)
      if (namespace && !isOurs(installation, namespace.metadata))
        throw new Error(`The namespace ${name} exists, but is not of this installation`)
      return namespace
    },

    /** Writes the objects that differ from the applied ones; resolves with all digests. */
    async writeObjects({ objects }: ProjectObjects, record: AppliedRecord | null) {
      const current = requireState()
      const written: AppliedRecord['objects'] = {}
      for (const object of objects) {
        const name = nameOf({ kind: object.kind, name: object.metadata.name })
        const intent = object.metadata.annotations?.[annotations.intent] ?? ''
        const before = record?.objects[name]
        const view = current.object(object)
        const isSame =
          before?.intent === intent &&
          view?.intent === intent &&
          view.content === before.content &&
          view.replicas === replicasOf(object)
        if (isSame && before) written[name] = before
        else {
          if (view) await ownUpdates(object)
          const applied = viewOfObject(await cluster.apply(object))
          written[name] = { intent, content: applied.content }
        }
      }
      return written
    },

    /** Deletes remaining objects of earlier applications, except volumes: they have the data. */
    async prune(key: string, written: AppliedRecord['objects'], record: AppliedRecord | null) {
      const views = requireState().projectObjects(key)
      const watchedNames = new Set(views.map(nameOf))
      // Edge objects that are no longer watched, after a change of the settings.
      const unwatched = Object.keys(record?.objects ?? {})
        .filter((name) => !watchedNames.has(name) && edgeObjectNames.includes(name))
        .map((name) => ({
          kind: name.slice(0, name.indexOf('/')),
          name: names.site,
          namespace: namespaceOf(installation, key),
          uid: undefined,
        }))
      for (const view of [...views, ...unwatched]) {
        if (nameOf(view) in written || view.kind === kinds.PersistentVolumeClaim.kind) continue
        const { apiVersion } = kinds[view.kind as keyof typeof kinds]
        const { name, namespace, uid } = view
        const metadata = { name, namespace, ...(uid === undefined ? {} : { uid }) }
        await cluster.remove(objectOf({ apiVersion, kind: view.kind }, metadata))
      }
    },

    writeRecord: (namespace: KubeObject, record: AppliedRecord) =>
      cluster.apply({
        ...namespace,
        metadata: {
          ...namespace.metadata,
          annotations: { [annotations.applied]: toAnnotation(record) },
        },
      }),
  }
}
