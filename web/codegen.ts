import type { CodegenConfig } from "@graphql-codegen/cli";

export default {
  schema: process.env.GRAPHQL_SCHEMA ?? "../gateway/schema.graphql",
  documents: "app/**/*.graphql",
  generates: {
    "app/gen/graphql.ts": {
      plugins: ["typescript-operations", "typed-document-node"],
      config: {
        useTypeImports: true,
        inlineFragmentTypes: "combine",
        avoidOptionals: true,
        documentMode: "string",
        defaultScalarType: "unknown",
        scalars: { DateTime: "string", Decimal: "number" },
      },
    },
  },
} satisfies CodegenConfig;
