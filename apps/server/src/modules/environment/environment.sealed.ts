import { type SealedColumn, sealedColumn } from '../../sealing/sealed-columns.ts'
import { projectVariables } from './environment.schema.ts'

export const variableColumn = sealedColumn('project_variables.value', projectVariables, {
  id: 'id',
  sealed: 'sealed',
})

export const sealed: SealedColumn[] = [variableColumn]
