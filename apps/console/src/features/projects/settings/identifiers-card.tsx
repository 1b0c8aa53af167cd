import type { ProjectDetail } from '@slipway/contract/projects'
import { m } from '@slipway/phrases'
import { CopyValue } from '../../../shell/page/copy-value.tsx'
import { RelativeTime } from '../../../shell/time/time.tsx'
import { Card } from '../../../ui/card.tsx'
import { Detail, DetailList } from '../../../ui/detail-list.tsx'
import { MetadataDetails } from '../metadata/project-metadata.tsx'

const Code = ({ label, text }: { label: string; text: string }) => (
  <Detail label={label}>
    <CopyValue text={text} label={m.projects_copy({ label })}>
      <code className="font-mono text-xs sm:text-sm">{text}</code>
    </CopyValue>
  </Detail>
)

/** The identifiers of a project for support and programs, and the engine's facts about its site. */
export const IdentifiersCard = ({
  project,
  hasListDataOnly,
}: {
  project: ProjectDetail
  /** Only the list's data is loaded yet. */
  hasListDataOnly: boolean
}) => (
  <Card title={m.projects_identifiers()}>
    <DetailList>
      <Code label={m.projects_key()} text={project.key} />
      <Code label={m.projects_id()} text={project.id} />
      <MetadataDetails metadata={project.metadata} loading={hasListDataOnly} />
      <Detail label={m.projects_updated()}>
        <RelativeTime value={project.updatedAt} />
      </Detail>
    </DetailList>
  </Card>
)
