import {
  type CompiledQuery,
  type Kysely,
  type KyselyPlugin,
  PostgresQueryCompiler,
  type QueryId,
} from 'kysely';

function isSelect({ sql }: CompiledQuery): boolean {
  return /^\s*select/i.test(sql);
}

/** Returns a database handle that records the SELECT queries made with it, so that they can be explained. */
export function recordQueries<T>(db: Kysely<T>): { db: Kysely<T>; selects: CompiledQuery[] } {
  const selects: CompiledQuery[] = [];
  const made = new Map<QueryId, CompiledQuery>();
  const compiler = new PostgresQueryCompiler();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      made.set(queryId, compiler.compileQuery(node, queryId));
      return node;
    },
    // Parts of queries are compiled, too, and have no result.
    transformResult: async ({ result, queryId }) => {
      const query = made.get(queryId);
      if (query && isSelect(query)) selects.push(query);
      return result;
    },
  };
  const recording = db.withPlugin(plugin);
  const execute = recording.executeQuery.bind(recording);
  // A prepared statement was compiled once, with placeholders, and comes here with its values.
  recording.executeQuery = async (query) => {
    const compiled = query as CompiledQuery;
    made.delete(compiled.queryId);
    if (isSelect(compiled)) selects.push(compiled);
    return execute(query);
  };
  return { db: recording, selects };
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** Returns the steps of a plan that read tables, and how they are combined. Each is on a line and indented below the one that it serves. */
export function outlinePlan(node: PlanNode, depth = 0): string {
  const { 'Node Type': type, 'Relation Name': relation, 'Index Name': index, Plans: plans = [] } = node;
  const isStep = !['Result', 'Materialize', 'Memoize', 'Subquery Scan'].includes(type);
  const line = [type, index ?? relation].filter(Boolean).join(' ');
  const below = plans.map((plan) => outlinePlan(plan, depth + (isStep ? 1 : 0)));
  return [...(isStep ? ['  '.repeat(depth) + line] : []), ...below].join('\n');
}
