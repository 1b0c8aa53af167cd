import { describe, expect, it } from 'vitest'
import { type KubeObject, kinds } from './api/resources.ts'
import { labels } from './objects/names.ts'
import { servingPod, viewOfPod } from './pod-state.ts'

const pod = (status: object, metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  ...kinds.Pod,
  metadata: {
    name: 'site-1',
    namespace: 'slipway-shop',
    uid: 'u-1',
    creationTimestamp: '2026-11-23T03:00:00Z',
    labels: { [labels.key]: 'shop', [labels.launch]: 'l-1' },
    ...metadata,
  },
  spec: { containers: [{ name: 'site', ports: [{ containerPort: 8080 }] }] },
  status,
})
const container = (state: object, overrides: object = {}) => ({
  containerStatuses: [{ name: 'site', ready: false, restartCount: 0, state, ...overrides }],
})
const ready = { conditions: [{ type: 'Ready', status: 'True' }], podIP: '10.96.0.9' }

describe('the state of a pod', () => {
  it('says that a site accepts requests from its start check on, until its program ends', () => {
    const isReady = (state: object, overrides: object, conditions: object[] = []) => {
      const object = pod({ ...container(state, overrides), conditions })
      const [site] = (object['spec'] as { containers: object[] }).containers
      const spec = { containers: [{ ...site, startupProbe: {} }] }
      return viewOfPod({ ...object, spec } as KubeObject).isReady
    }
    const running = { running: { startedAt: '2026-11-23T03:00:01Z' } }
    expect(isReady(running, { started: false }, ready.conditions)).toBe(false)
    expect(isReady(running, { started: true })).toBe(true)
    expect(isReady({ terminated: { exitCode: 1 } }, { started: true })).toBe(false)
    // The cluster changes only the condition of a pod whose node is lost.
    const known = { started: true, ready: true }
    expect(isReady(running, known, ready.conditions)).toBe(true)
    expect(isReady(running, known, [{ type: 'Ready', status: 'False' }])).toBe(false)
  })

  it('says by the condition Ready whether a pod without a start check accepts requests', () => {
    const running = { running: { startedAt: '2026-11-23T03:00:01Z' } }
    expect(viewOfPod(pod(container(running, { started: true }))).isReady).toBe(false)
    expect(viewOfPod(pod({ ...container(running), ...ready })).isReady).toBe(true)
  })

  it.each<[string, object, object]>([
    [
      'a program that ended once, which may be temporary',
      container({ terminated: { exitCode: 3, reason: 'Error' } }),
      { kind: 'program_exited', detail: '3', isFinal: false },
    ],
    [
      'a program that ends again and again',
      container(
        { waiting: { reason: 'CrashLoopBackOff' } },
        { restartCount: 1, lastState: { terminated: { exitCode: 1 } } },
      ),
      { kind: 'program_exited', detail: '1', isFinal: true },
    ],
    [
      'a program that needed too much memory',
      container(
        { waiting: { reason: 'CrashLoopBackOff' } },
        { restartCount: 2, lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } } },
      ),
      { kind: 'out_of_memory', detail: '137', isFinal: true },
    ],
    [
      'a release whose files cannot be fetched',
      {
        initContainerStatuses: [
          {
            name: 'fetch-release',
            ready: false,
            restartCount: 2,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1 } },
          },
        ],
        ...container({ waiting: { reason: 'PodInitializing' } }),
      },
      { kind: 'release_not_fetched', detail: '1', isFinal: true },
    ],
    [
      'an image that was not pulled once, which may be temporary',
      container({ waiting: { reason: 'ErrImagePull', message: 'connection refused' } }),
      { kind: 'image_not_pulled', detail: 'connection refused', isFinal: false },
    ],
    ...(
      [
        [
          'an image that its registry does not have',
          'image_not_found',
          'failed to resolve reference "a.example/shop:1": a.example/shop:1: not found',
        ],
        [
          'an image that needs credentials, or does not exist',
          'image_access_denied',
          'pull access denied, repository does not exist or may require authorization',
        ],
        [
          'an image whose credentials are wrong',
          'image_access_denied',
          'failed to authorize: failed to fetch token: unexpected status: 401 Unauthorized',
        ],
        [
          'a registry without a response, whatever the image is called',
          'image_not_pulled',
          'failed to do request: Head "https://a.example/v2/denied": dial a.example/not found: timeout',
        ],
      ] as const
    ).map(([name, kind, message]): [string, object, object] => [
      name,
      container({ waiting: { reason: 'ErrImagePull', message } }),
      { kind, detail: message, isFinal: kind !== 'image_not_pulled' },
    ]),
    [
      'an image that cannot be pulled',
      container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling' } }),
      { kind: 'image_not_pulled', detail: 'Back-off pulling', isFinal: true },
    ],
    [
      'an image that wants to be root',
      container({ waiting: { reason: 'CreateContainerConfigError', message: 'runs as root' } }),
      { kind: 'container_rejected', detail: 'runs as root', isFinal: true },
    ],
    ...[
      'failed to sync secret cache: timed out waiting for the condition',
      'context deadline exceeded',
      'failed to reserve container name "site": name "site" is reserved for "0123"',
    ].map((message): [string, object, object] => [
      `a node that is too busy to create the container: ${message}`,
      container({ waiting: { reason: 'CreateContainerConfigError', message } }),
      { kind: 'container_rejected', detail: message, isFinal: false },
    ]),
    [
      'a cluster without capacity',
      {
        conditions: [
          { type: 'PodScheduled', status: 'False', message: '0/1 nodes: 1 Insufficient memory.' },
        ],
      },
      { kind: 'no_room', detail: '0/1 nodes: 1 Insufficient memory.', isFinal: false },
    ],
    [
      'a volume that is not bound',
      {
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            message: 'pod has unbound immediate PersistentVolumeClaims.',
          },
        ],
      },
      {
        kind: 'volume_unbound',
        detail: 'pod has unbound immediate PersistentVolumeClaims.',
        isFinal: false,
      },
    ],
  ])('reports %s', (_case, status, problem) => {
    expect(viewOfPod(pod(status)).problem).toEqual(problem)
  })

  it('has no problem while the container is created, and once it runs again', () => {
    expect(
      viewOfPod(pod(container({ waiting: { reason: 'ContainerCreating' } }))).problem,
    ).toBeNull()
    const restarted = container(
      { running: {} },
      { ready: true, restartCount: 4, lastState: { terminated: { exitCode: 1 } } },
    )
    expect(viewOfPod(pod(restarted)).problem).toBeNull()
  })
})

describe('the pod of a site with a release', () => {
  it('has the version of Node that fetched it, and no other text of its container', () => {
    const fetched = (message: string) =>
      viewOfPod(
        pod({
          initContainerStatuses: [{ name: 'fetch-release', state: { terminated: { message } } }],
        }),
      ).nodeVersion
    expect(fetched('26.10.0')).toBe('26.10.0')
    expect(fetched('tar: 1.2.3: not found')).toBeNull()
    expect(viewOfPod(pod(ready)).nodeVersion).toBeNull()
  })
})

describe('the pod that installs packages', () => {
  const installing = (status: object) =>
    viewOfPod(pod(status, { labels: { [labels.key]: 'shop', [labels.install]: 'a' } })).install

  it('ends with the report of its program, or with the words of the cluster', () => {
    expect(viewOfPod(pod(ready)).install).toBeNull()
    expect(installing({ phase: 'Pending' })).toMatchObject({ state: 'running' })
    expect(installing({ phase: 'Succeeded' })).toMatchObject({ state: 'succeeded' })
    const ended = (terminated: object) => ({
      phase: 'Failed',
      containerStatuses: [{ name: 'install-packages', state: { terminated } }],
    })
    const message = '{"failure":"install_failed"}'
    expect(installing(ended({ exitCode: 1, message }))).toEqual({
      state: 'failed',
      reason: '',
      message,
      isOutOfMemory: false,
    })
    expect(installing(ended({ exitCode: 137, reason: 'OOMKilled' }))).toMatchObject({
      isOutOfMemory: true,
    })
    const evicted = { phase: 'Failed', reason: 'Evicted', message: 'Usage of EmptyDir volume' }
    expect(installing(evicted)).toMatchObject({ reason: 'Evicted', message: evicted.message })
  })
})

describe('the pod that gets the requests', () => {
  const startedPod = (name: string, time: string, status: object, overrides = {}) =>
    viewOfPod(pod(status, { name, uid: name, creationTimestamp: time, ...overrides }))

  it('is the newest that is ready', () => {
    const older = startedPod('older', '2026-11-23T03:00:00Z', ready)
    const newer = startedPod('newer', '2026-11-23T03:05:00Z', ready)
    const starting = startedPod('starting', '2026-11-23T03:06:00Z', { podIP: '10.96.0.10' })
    expect(servingPod([older, newer, starting])?.name).toBe('newer')
  })

  it('is never a pod that ends', () => {
    const ending = { deletionTimestamp: '2026-11-23T03:01:00Z' }
    expect(servingPod([startedPod('ending', '2026-11-23T03:00:00Z', ready, ending)])).toBeNull()
    expect(servingPod([])).toBeNull()
  })

  it.each([
    ['is evicted', 'Failed'],
    ['has finished', 'Succeeded'],
  ])('is never a pod that %s, which is over', (_how, phase) => {
    const over = startedPod('over', '2026-11-23T03:00:00Z', { ...ready, phase })
    expect(over).toMatchObject({ isOver: true, isEnding: true })
    expect(servingPod([over])).toBeNull()
    const ending = startedPod('ending', '2026-11-23T03:00:00Z', ready, {
      deletionTimestamp: '2026-11-23T03:01:00Z',
    })
    expect(ending).toMatchObject({ isOver: false, isEnding: true })
  })

  it.each<[string, object, number | null]>([
    ['has not crashed before its first end', container({ running: {} }), null],
    [
      'has crashed once more than it was restarted while it waits',
      container(
        { waiting: { reason: 'CrashLoopBackOff' } },
        {
          restartCount: 4,
          lastState: {
            terminated: {
              exitCode: 1,
              startedAt: '2026-11-23T03:00:00Z',
              finishedAt: '2026-11-23T03:00:02Z',
            },
          },
        },
      ),
      5,
    ],
    [
      'has crashed once after it had run well, however often it was restarted before',
      container(
        { running: {} },
        {
          restartCount: 4,
          lastState: {
            terminated: {
              exitCode: 1,
              startedAt: '2026-11-22T03:00:00Z',
              finishedAt: '2026-11-23T03:00:02Z',
            },
          },
        },
      ),
      1,
    ],
  ])('says that a program %s', (_what, status, count) => {
    const lastAt = Date.parse('2026-11-23T03:00:02Z')
    expect(viewOfPod(pod(status)).crashes).toEqual(count && { count, lastAt })
  })
})
