import { WithdrawalForm as Form } from "~/features/withdrawal/withdrawal-form";
import type { BlockProps } from "../registry";

export default function WithdrawalForm({ block }: BlockProps<"WithdrawalForm">) {
  return (
    <section className="wrap py-6 md:py-8">
      <div className="mx-auto max-w-text">
        <Form title={block.title} description={block.description} />
      </div>
    </section>
  );
}
