import { expect, it } from 'vitest'
import { image, instance, objectSettings } from '../../../../testing/cluster-world.ts'
import { createRuntimes } from '../runtimes/runtimes.ts'
import { digestOf } from './digest.ts'
import { projectObjects } from './project-objects.ts'
import { podVersion } from './settings-digest.ts'

const settings = objectSettings('slipway')
const reference = 'registry.example/shop'
const images = { node: 'registry.example/node', php: 'registry.example/php' }
const emailAccess = async () => ({ url: 'http://localhost', token: 'a token' })

/** The launches of a site of each runtime whose program does not depend on files. */
async function launches() {
  const runtimes = createRuntimes(images, settings.pods.size, emailAccess)
  const found: Record<string, string> = {}
  for (const { id, program } of runtimes) {
    if (!program || id === 'node') continue
    const desired = instance('shop', { runtime: id, image: image({ reference }) })
    const made = await program(desired, null)
    found[id] = projectObjects(desired, made, null, 1, settings).launch
  }
  return found
}

// Sites that run get new pods only after a change of the settings, or of `podVersion`.
it('a change of the pods of our runtimes raises podVersion', async () => {
  expect(await launches()).not.toEqual({})
  expect({ podVersion, pods: digestOf(await launches()) }).toMatchInlineSnapshot(`
    {
      "podVersion": 2,
      "pods": "9108b66621f41023a02fb9b1601a25e9",
    }
  `)
})
