export default function HorizontalRule() {
  return (
    <div className="wrap py-6 md:py-8">
      <hr className="border-hairline" />
    </div>
  );
}
