import type { Project } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import ExternalLink from 'lucide-react/icons/external-link'
import History from 'lucide-react/icons/history'
import Link from 'lucide-react/icons/link'
import Pencil from 'lucide-react/icons/pencil'
import ScrollText from 'lucide-react/icons/scroll-text'
import Upload from 'lucide-react/icons/upload'
import { accessUrl, siteUrl } from '../features/projects/access/access-url.ts'
import { displayName } from '../features/projects/display-name.ts'
import { paths } from '../paths.ts'
import { copyText } from './copy-text.ts'
import type { PaletteItem } from './palette-item.ts'

const openInNewTab = (url: string) => () => open(url, '_blank', 'noopener')

/** The actions of a project: its site, editor, address, logs and backups, and a release. */
export function projectActions(project: Project): PaletteItem[] {
  const name = displayName(project)
  const [site, editor] = [siteUrl(project), accessUrl(project)]
  const action = (key: string) => ({ id: `${key}:${project.id}`, category: name })
  return [
    ...(site
      ? [
          {
            ...action('open'),
            name: m.projects_visit_named({ name }),
            icon: ExternalLink,
            run: openInNewTab(site),
          },
        ]
      : []),
    ...(editor
      ? [
          {
            ...action('edit'),
            name: m.projects_open_named({ name }),
            icon: Pencil,
            run: openInNewTab(editor),
          },
        ]
      : []),
    // Browsers offer the clipboard only on secure pages.
    ...(site && navigator.clipboard
      ? [
          {
            ...action('copy'),
            name: m.palette_project_copy({ name }),
            icon: Link,
            run: () => copyText(site),
          },
        ]
      : []),
    {
      ...action('logs'),
      name: m.palette_project_logs({ name }),
      icon: ScrollText,
      to: paths.logs(project.key),
    },
    {
      ...action('backups'),
      name: m.palette_project_backups({ name }),
      words: [m.palette_words_backups()],
      icon: History,
      to: paths.backups(project.key),
    },
    {
      ...action('deploy'),
      name: m.palette_project_deploy({ name }),
      icon: Upload,
      to: paths.releases(project.key),
    },
  ]
}
