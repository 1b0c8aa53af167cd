import type { Runtime } from '@slipway/contract/runtimes'
import { m } from '@slipway/phrases'
import { useQuery } from '@tanstack/react-query'
import AppWindow from 'lucide-react/icons/app-window'
import Box from 'lucide-react/icons/box'
import FileCode from 'lucide-react/icons/file-code'
import Files from 'lucide-react/icons/files'
import Hexagon from 'lucide-react/icons/hexagon'
import Newspaper from 'lucide-react/icons/newspaper'
import type { ComponentType } from 'react'
import { runtimesQuery } from '../../../api/queries.ts'
import { ChoiceCards } from '../../../ui/field/choice-cards.tsx'
import { runtimeNames } from '../runtime-names.ts'

type RuntimeDisplay = {
  description: () => string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>
}

const runtimeDisplays: Record<Runtime, RuntimeDisplay> = {
  starter: {
    description: () => m.runtime_starter_hint(),
    icon: AppWindow,
  },
  static: {
    description: () => m.runtime_static_hint(),
    icon: Files,
  },
  node: { description: () => m.runtime_node_hint(), icon: Hexagon },
  php: { description: () => m.runtime_php_hint(), icon: FileCode },
  wordpress: {
    description: () => m.runtime_wordpress_hint(),
    icon: Newspaper,
  },
  image: {
    description: () => m.runtime_image_hint(),
    icon: Box,
  },
}

/** Selects one of the region's runtimes for the new project. */
export function RuntimeChoice({
  regionId,
  value,
  onChange,
}: {
  regionId: string
  value: Runtime
  onChange: (runtime: Runtime) => void
}) {
  const { data = [] } = useQuery(runtimesQuery(regionId))
  // The form has its final height before the runtimes are loaded.
  const known = data.length > 0 ? data : placeholders
  return (
    <ChoiceCards
      label={m.runtime_choose()}
      value={value}
      onChange={onChange}
      choices={known.map(({ id, available, reason }) => ({
        value: id,
        label: runtimeNames[id](),
        description: reason ?? runtimeDisplays[id].description(),
        icon: runtimeDisplays[id].icon,
        disabled: !available,
      }))}
    />
  )
}

const placeholders = (['starter', 'static', 'node', 'php', 'wordpress'] as const).map((id) => ({
  id,
  available: true,
  reason: null,
}))
