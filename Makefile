# Every line calls the real thing; what it does is written there.
LOCAL = cargo run --quiet --package local --

.PHONY: run test bench chaos fmt lint advisories

run:   ; @$(LOCAL) run
test:  ; @$(LOCAL) test
bench: ; @$(LOCAL) bench
chaos: ; @$(LOCAL) test rust -- --test 'crash*'
fmt:   ; @$(LOCAL) fmt
lint:  ; @$(LOCAL) lint
advisories: ; @$(LOCAL) advisories
